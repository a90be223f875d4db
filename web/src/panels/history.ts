class History extends HTMLElement {}
customElements.define("ib-history", History);
export { History };
