class Inspector extends HTMLElement {}
customElements.define("ib-inspector", Inspector);
export { Inspector };
