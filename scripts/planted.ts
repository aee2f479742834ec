/** One planted violation, its clean twin (at its own path where the path is the point), and the rule that must see the difference. */
export type Planted = { path: string; title: string; rule: string; bad: string; good: string; goodPath?: string }

/** A file that does nothing but import. */
export const importing = (specifier: string) => `import { thing } from '${specifier}'\n\nexport const kept = thing\n`
