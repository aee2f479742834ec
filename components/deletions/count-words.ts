/** A number with its noun: `1 call`, `3 calls`; `many` where an s does not do. */
export const countWords = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
