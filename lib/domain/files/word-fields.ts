/** True for the instruction of a field that fetches data from another program, or starts it, when a document is opened. */
export const startsProgram = (instruction: string): boolean => /^\s*dde(?:auto)?\b/i.test(instruction)
