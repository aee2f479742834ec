import { deskPath } from '@/lib/routes'

/** The form that corrects a linked bank account; `account` keeps the scope. */
export const editLinkedPath = (environment: string, id: string, account: string | null) =>
  deskPath(environment, `/linked-bank-accounts/${id}/edit`, { account })
