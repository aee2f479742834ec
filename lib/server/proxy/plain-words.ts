import 'server-only'

const values: readonly [RegExp, string][] = [
  [/(["'`“‘])[^"'`”’]{1,200}["'`”’]/g, '…'],
  [/\S+@\S+/g, '…'],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '…'],
  [/\S*\d\S*/g, '…'],
]

/**
 * The words of a refusal without the values in it: what is quoted, e-mail addresses, ids, everything with a digit. Equal refusals of different
 * objects read the same, which is what groups them.
 */
export const plainWords = (text: string): string =>
  values
    .reduce((clean, [pattern, put]) => clean.replace(pattern, put), text)
    .replace(/…(?:[\s,;]*…)+/g, '…')
    .slice(0, 200)
