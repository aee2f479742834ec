import { payoutPath } from '@/lib/routes'

/** The page of one payout in a scope. */
export const detailHref = (environment: string, account: string | null, id: string) => payoutPath(environment, id, { account })
