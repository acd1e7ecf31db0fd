// The page of a plot: the drawing answers to the pointer and to the arrow keys.

import "./page.css";
import "./plot.css";
import { hover } from "./hover";

for (const figure of document.querySelectorAll("figure")) {
  const svg = figure.querySelector("svg");
  if (svg) hover(svg, figure);
}
