// The public names, as a tour of the rooms; the runner is a command and is left out.

// display: a Plotly figure that can show itself anywhere
export { Figure, type FigureParts } from "./display/figure.js";
export { Showable, show } from "./display/showable.js";
