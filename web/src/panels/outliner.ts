class Outliner extends HTMLElement {}
customElements.define("ib-outliner", Outliner);
export { Outliner };
