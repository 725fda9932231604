import { render } from "preact";
import { App } from "./shell/app.tsx";
import "./style/index.css";

const root = document.querySelector("#app");
if (root !== null) render(<App />, root);
