import { deskPath } from '@/lib/routes'

/** Where funding is simulated; sandbox only. */
export const simulateFundingPath = (environment: string, account: string | null) =>
  deskPath(environment, '/funding-events/simulate', { account })
