let pagePersonId: string | null = null

/** Stores the id of the person for whom this page was rendered; null before sign-in. */
export function setPagePerson(id: string | null): void {
  pagePersonId = id
}

/**
 * Returns the header with the id of the person for whom this page was rendered. If another person
 * has signed in, the server refuses it.
 */
export const getPagePersonHeader = (): Record<string, string> =>
  pagePersonId === null ? {} : { 'Drawn-For': pagePersonId }
