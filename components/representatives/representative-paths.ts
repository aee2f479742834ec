import { deskPath } from '@/lib/routes'

/** The form that changes a representative; `account` keeps the scope. */
export const editRepresentativePath = (environment: string, id: string, account: string | null) =>
  deskPath(environment, `/representatives/${id}/edit`, { account })
