let pagePersonId: string | null = null

/** Stores the id of the person for whom this page was rendered; null before sign-in. */
export function setPagePersonId(id: string | null): void {
  pagePersonId = id
}

/** The server refuses the request if another person has signed in since the page was rendered. */
export const getPagePersonHeader = (): Record<string, string> =>
  pagePersonId === null ? {} : { 'Drawn-For': pagePersonId }
