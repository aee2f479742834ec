let person: string | null = null

/** Stores the id of the person this page was rendered for; null before sign-in. */
export function setDrawnFor(id: string | null): void {
  person = id
}

/** Returns the header with the person this page was rendered for. Another person may have signed in since in another tab; the server refuses the request then. */
export const drawnFor = (): Record<string, string> => (person === null ? {} : { 'Drawn-For': person })
