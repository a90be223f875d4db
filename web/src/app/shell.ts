class Bar extends HTMLElement {}
customElements.define("ib-bar", Bar);
class Status extends HTMLElement {}
customElements.define("ib-status", Status);
export { Bar, Status };
