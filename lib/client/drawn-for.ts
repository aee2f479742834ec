let person: string | null = null

/** Stores the id of the person for whom this page was rendered; null before sign-in. */
export function setPagePerson(id: string | null): void {
  person = id
}

/** Returns the header with the id of the person this page was rendered for. The server refuses it if another person has signed in. */
export const pagePersonHeader = (): Record<string, string> => (person === null ? {} : { 'Drawn-For': person })
