class Timeline extends HTMLElement {}
customElements.define("ib-timeline", Timeline);
export { Timeline };
