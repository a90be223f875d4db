class Graph extends HTMLElement {}
customElements.define("ib-graph", Graph);
export { Graph };
