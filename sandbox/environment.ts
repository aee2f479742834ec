/**
 * Only `sandbox` allows simulations, only `production` limits the rate. Neither moves real money.
 */
export type Environment = 'sandbox' | 'production'
