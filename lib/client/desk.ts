import type { Desk } from '@/lib/operations/desk'

export type { AccountChoice, Desk } from '@/lib/operations/desk'

/** The part of a desk a request needs. */
export type DeskScope = Pick<Desk, 'environment' | 'account'>

/** `acct_` and a UUID, as the account scope is written in a URL. */
export const accountPattern = /^acct_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The name people know an account by; its id where the desk was not told one. */
export const accountName = (desk: Pick<Desk, 'accounts'>, account: string): string =>
  desk.accounts.find((choice) => choice.id === account)?.name ?? account
