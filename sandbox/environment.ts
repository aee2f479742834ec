/**
 * Environment that the process imitates. `sandbox` allows simulations and has no rate limit.
 * `production` has a rate limit and rejects simulations. Neither moves real money.
 */
export type Environment = 'sandbox' | 'production'
