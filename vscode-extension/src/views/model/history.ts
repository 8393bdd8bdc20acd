/** Tasks that were asked, the last one first, each once. */

export interface Asked {
  task: string;
  at: number;
}

const MOST = 20;

export function remember(history: readonly Asked[], task: string, at: number): Asked[] {
  const asked = task.trim();
  if (!asked) return [...history];
  return [{ task: asked, at }, ...history.filter((item) => item.task !== asked)].slice(0, MOST);
}

/** What was stored, without whatever does not look like it. */
export function restored(stored: unknown): Asked[] {
  if (!Array.isArray(stored)) return [];
  return stored.filter(
    (item: unknown): item is Asked =>
      typeof item === "object" && item !== null &&
      typeof (item as Asked).task === "string" && typeof (item as Asked).at === "number",
  ).slice(0, MOST);
}
