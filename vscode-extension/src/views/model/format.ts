/** Numbers and places as people read them; the same in the host and in the webviews. */

const numbers = new Intl.NumberFormat("en-US");

/** With thousands separators. */
export function count(value: number): string {
  return numbers.format(value);
}

/** Two places; a score below 1 without its leading zero, so that columns stay narrow. */
export function score(value: number): string {
  const text = Math.abs(value).toFixed(2);
  return `${value < 0 && Number(text) !== 0 ? "−" : ""}${text.replace(/^0\./, ".")}`;
}

/** With its sign, and with three places as parts are often small. */
export function signed(value: number): string {
  const text = Math.abs(value).toFixed(3).replace(/^0\./, ".");
  return `${value < 0 && Number(text) !== 0 ? "−" : "+"}${text}`;
}

export function bytes(value: number): string {
  const units = ["B", "KB", "MB", "GB"];
  let size = value;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  const shown = unit === 0 || size >= 10 ? String(Math.round(size)) : size.toFixed(1);
  return `${shown} ${units[unit] ?? ""}`;
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function folderName(path: string): string {
  const end = path.lastIndexOf("/");
  return end < 0 ? "" : path.slice(0, end);
}

/** How long ago, as short as a list needs it: `now`, `5 min`, `2 h`, `3 d`. */
export function age(milliseconds: number): { value: number; unit: "now" | "min" | "h" | "d" } {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return { value: 0, unit: "now" };
  if (minutes < 60) return { value: minutes, unit: "min" };
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? { value: hours, unit: "h" } : { value: Math.floor(hours / 24), unit: "d" };
}

/** Replaces `{0}`, `{1}`, … */
export function fill(text: string, ...values: (string | number)[]): string {
  return text.replace(/\{(\d+)\}/g, (whole, at: string) => String(values[Number(at)] ?? whole));
}

/** Leaves out the middle of a long name, as its ends tell it from others. */
export function shorten(name: string, most: number): string {
  if (name.length <= most) return name;
  const head = Math.ceil((most - 1) / 2);
  return `${name.slice(0, head)}…${name.slice(name.length - (most - 1 - head))}`;
}
