// Draws media/icon.png: agents around a check mark, each linked to its neighbours. Nothing but Node is needed.

import { writeFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { fileURLToPath } from "node:url";

const SIZE = 128;
const BACKGROUND = [24, 38, 58];
const LINK = [88, 116, 150];
const AGENT = [120, 190, 255];
const MARK = [130, 220, 130];

const agents = Array.from({ length: 7 }, (_, at) => {
  const angle = (at / 7) * 2 * Math.PI - Math.PI / 2;
  return [64 + 45 * Math.cos(angle), 64 + 45 * Math.sin(angle)];
});

/** The distance from a point to a segment. */
function toSegment([x, y], [ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const along = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(x - ax - along * dx, y - ay - along * dy);
}

/** How much of a pixel a shape covers, by the distance of its centre from the edge of the shape. */
const cover = (distance) => Math.max(0, Math.min(1, 0.5 - distance));

/** The distance to the edge of a square with round corners, negative inside. */
function toSquare([x, y]) {
  const [dx, dy] = [Math.abs(x - 64) - 40, Math.abs(y - 64) - 40];
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - 22;
}

function colour(point) {
  const mixed = [...BACKGROUND];
  const paint = (shade, amount) => shade.forEach((value, at) => (mixed[at] += (value - mixed[at]) * amount));
  agents.forEach((agent, at) => paint(LINK, cover(toSegment(point, agent, agents[(at + 1) % 7]) - 1.5)));
  for (const agent of agents) paint(AGENT, cover(Math.hypot(point[0] - agent[0], point[1] - agent[1]) - 9));
  const mark = Math.min(toSegment(point, [46, 66], [58, 78]), toSegment(point, [58, 78], [84, 50]));
  paint(MARK, cover(mark - 5));
  return [...mixed.map(Math.round), Math.round(255 * cover(toSquare(point)))];
}

const TABLE = Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  let sum = 0xffffffff;
  for (const byte of body) sum = TABLE[(sum ^ byte) & 255] ^ (sum >>> 8);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE((sum ^ 0xffffffff) >>> 0);
  return Buffer.concat([length, body, check]);
}

const header = Buffer.alloc(13);
header.writeUInt32BE(SIZE, 0);
header.writeUInt32BE(SIZE, 4);
header.set([8, 6, 0, 0, 0], 8);
const rows = [];
for (let y = 0; y < SIZE; y += 1) {
  rows.push(0);
  for (let x = 0; x < SIZE; x += 1) rows.push(...colour([x + 0.5, y + 0.5]));
}
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const image = [signature, chunk("IHDR", header), chunk("IDAT", deflateSync(Buffer.from(rows), { level: 9 })), chunk("IEND", Buffer.alloc(0))];
writeFileSync(fileURLToPath(new URL("../media/icon.png", import.meta.url)), Buffer.concat(image));
