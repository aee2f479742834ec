let person: string | null = null

/** Stores the id of the person this page was rendered for; null before sign-in. */
export function setDrawnFor(id: string | null): void {
  person = id
}

/** Returns the header with the person this page was rendered for. The server refuses the request if another person has since signed in. */
export const drawnFor = (): Record<string, string> => (person === null ? {} : { 'Drawn-For': person })
