class Viewport extends HTMLElement {}
customElements.define("ib-viewport", Viewport);
export { Viewport };
