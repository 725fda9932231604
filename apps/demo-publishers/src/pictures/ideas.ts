import {
  gradient,
  HEIGHT_PX,
  WIDTH_PX,
  circle,
  ellipse,
  group,
  line,
  path,
  rect,
  repeat,
} from "./scene.ts";
import type { Scene } from "./scene.ts";

export const planet: Scene = ({ random, dark, deep, mid, bright, pale, accent }) => {
  const x = random.integer(430, 800);
  const y = random.integer(290, 390);
  const r = random.integer(135, 200);
  const turn = random.integer(-28, 28);
  const stars = repeat(150, () =>
    circle(
      random.integer(0, WIDTH_PX),
      random.integer(0, HEIGHT_PX),
      1 + random.next() * 2.6,
      pale,
      `opacity="${(0.3 + random.next() * 0.7).toFixed(2)}"`,
    ),
  );
  const bands = repeat(6, (i) =>
    rect(
      x - r,
      y - r + (i * r) / 3 + random.integer(0, 20),
      2 * r,
      random.integer(12, 44),
      random.pick([mid, accent, pale, deep]),
      'opacity="0.45"',
    ),
  );
  const ring = (from: number, to: number): string =>
    group(
      `translate(${x} ${y}) rotate(${turn})`,
      line(
        `M ${from} 0 A ${r * 1.75} ${r * 0.42} 0 0 ${to} ${-from} 0`,
        pale,
        17,
        'opacity="0.8"',
      ) +
        line(
          `M ${from * 0.86} 0 A ${r * 1.5} ${r * 0.34} 0 0 ${to} ${-from * 0.86} 0`,
          accent,
          9,
          'opacity="0.8"',
        ),
    );
  const ringed = random.next() < 0.65;
  const moon = circle(
    x + random.pick([-1, 1]) * random.integer(300, 370),
    random.integer(110, 230),
    random.integer(28, 52),
    bright,
  );
  return (
    planetDefinitions(dark, deep, x, y, r) +
    rect(0, 0, WIDTH_PX, HEIGHT_PX, "url(#space)") +
    stars +
    moon +
    (ringed
      ? ring(r * 1.75, 0)
      : ellipse(
          x,
          y,
          r * 1.9,
          r * 1.9,
          "none",
          `stroke="${mid}" stroke-width="2" stroke-dasharray="4 14"`,
        )) +
    circle(x, y, r, bright) +
    `<g clip-path="url(#ball)">${group(`rotate(${turn} ${x} ${y})`, bands)}</g>` +
    circle(x, y, r, "url(#shade)") +
    (ringed ? ring(r * 1.75, 1) : "")
  );
};

function planetDefinitions(dark: string, deep: string, x: number, y: number, r: number): string {
  return (
    `<defs><radialGradient id="space"><stop offset="0" stop-color="${deep}"/>` +
    `<stop offset="1" stop-color="${dark}"/></radialGradient>` +
    '<radialGradient id="shade" cx="0.32" cy="0.3" r="0.85">' +
    '<stop offset="0.35" stop-color="#000" stop-opacity="0"/>' +
    '<stop offset="1" stop-color="#000" stop-opacity="0.6"/></radialGradient>' +
    `<clipPath id="ball"><circle cx="${x}" cy="${y}" r="${r}"/></clipPath></defs>`
  );
}

export const chart: Scene = ({ random, dark, deep, mid, bright, pale, accent }) => {
  const rising = random.next() < 0.7;
  const bars = 9;
  let level = rising ? 130 : 330;
  const tops: { x: number; y: number }[] = [];
  const columns = repeat(bars, (i) => {
    level = Math.max(70, Math.min(400, level + (rising ? 1 : -1) * random.integer(-22, 62)));
    const x = 150 + i * 102;
    tops.push({ x: x + 34, y: 560 - level - 46 });
    return rect(x, 560 - level, 68, level, i % 3 === 2 ? bright : mid, 'rx="9"');
  });
  const trend = tops.map(({ x, y }, i) => `${i === 0 ? "M" : "L"} ${x} ${y}`).join(" ");
  const coins = repeat(random.integer(2, 5), (i) =>
    ellipse(1090, 556 - i * 24, 66, 20, i % 2 ? accent : pale, `stroke="${deep}" stroke-width="4"`),
  );
  return (
    gradient("page", deep, dark) +
    rect(0, 0, WIDTH_PX, HEIGHT_PX, "url(#page)") +
    repeat(6, (i) => rect(90, 110 + i * 90, 1020, 2, pale, 'opacity="0.18"')) +
    repeat(13, (i) => rect(90 + i * 85, 80, 2, 480, pale, 'opacity="0.08"')) +
    columns +
    line(trend, accent, 9) +
    tops.map(({ x, y }) => circle(x, y, 13, pale) + circle(x, y, 7, accent)).join("") +
    rect(90, 560, 1020, 6, pale, 'opacity="0.7"') +
    coins +
    circle(
      rising ? 220 : 1010,
      190,
      70,
      "none",
      `stroke="${bright}" stroke-width="34" stroke-dasharray="${random.integer(150, 330)} 600"`,
    )
  );
};

export const music: Scene = ({ random, dark, deep, mid, bright, pale, accent }) => {
  const x = random.integer(360, 460);
  const disc =
    circle(x + 14, 360, 250, dark, 'opacity="0.4"') +
    circle(x, 340, 250, "#15131a") +
    repeat(9, (i) =>
      circle(x, 340, 236 - i * 16, "none", `stroke="${pale}" stroke-width="1.5" opacity="0.25"`),
    ) +
    path(`M ${x} 340 L ${x + 235} 260 A 250 250 0 0 0 ${x + 170} 160 Z`, pale, 'opacity="0.12"') +
    circle(x, 340, 88, accent) +
    circle(x, 340, 60, bright) +
    circle(x, 340, 12, dark);
  const bars = repeat(22, (i) => {
    const h = Math.round(
      40 + 190 * Math.abs(Math.sin(i * 0.5 + random.next())) * (0.5 + random.next() * 0.5),
    );
    return rect(690 + i * 23, 340 - h / 2, 13, h, random.pick([pale, accent, bright]), 'rx="6"');
  });
  const note = (nx: number, ny: number, size: number): string =>
    group(
      `translate(${nx} ${ny}) scale(${size}) rotate(${random.integer(-14, 14)})`,
      ellipse(0, 60, 26, 19, pale) +
        rect(18, -50, 9, 112, pale) +
        path("M 18 -50 Q 70 -40 70 10 Q 54 -18 27 -18 Z", pale),
    );
  return (
    gradient("stage", mid, deep, "diagonal") +
    rect(0, 0, WIDTH_PX, HEIGHT_PX, "url(#stage)") +
    circle(1020, 120, 260, accent, 'opacity="0.28"') +
    circle(120, 640, 240, bright, 'opacity="0.28"') +
    disc +
    bars +
    note(random.integer(760, 860), 120, 0.9) +
    note(random.integer(960, 1080), 560, 0.75)
  );
};

export const gamepad: Scene = ({ random, dark, deep, mid, bright, pale, accent }) => {
  const tiles = repeat(60, () =>
    rect(
      random.integer(0, 24) * 50,
      random.integer(0, 13) * 50,
      46,
      46,
      random.pick([mid, bright, accent]),
      `rx="5" opacity="${(0.12 + random.next() * 0.3).toFixed(2)}"`,
    ),
  );
  const tilt = random.integer(-12, 12);
  const shell =
    "M 330 250 Q 360 200 440 205 L 760 205 Q 840 200 870 250 Q 960 420 930 520 " +
    "Q 890 590 810 520 L 730 440 L 470 440 L 390 520 Q 310 590 270 520 Q 240 420 330 250 Z";
  const cross = rect(402, 268, 36, 112, dark, 'rx="9"') + rect(364, 306, 112, 36, dark, 'rx="9"');
  const buttons = [
    [780, 268, accent],
    [832, 322, bright],
    [728, 322, mid],
    [780, 376, deep],
  ]
    .map(([x, y, tone]) => circle(Number(x), Number(y), 27, String(tone)))
    .join("");
  const stick = (x: number): string => circle(x, 400, 48, dark) + circle(x, 392, 34, mid);
  return (
    gradient("room", deep, dark) +
    rect(0, 0, WIDTH_PX, HEIGHT_PX, "url(#room)") +
    tiles +
    ellipse(600, 600, 380, 36, "#000", 'opacity="0.35"') +
    group(
      `rotate(${tilt} 600 360) translate(0 ${random.integer(-30, 10)})`,
      path(shell, pale) +
        path(shell, bright, 'opacity="0.25"') +
        cross +
        buttons +
        stick(520) +
        stick(680) +
        rect(560, 262, 80, 20, dark, 'rx="10"'),
    ) +
    line(`M 600 160 Q ${random.integer(480, 720)} 80 ${random.integer(300, 900)} -10`, pale, 9)
  );
};
