/** The service's two environments: no real money in the one, rate limits and no simulation in the other. */
export type Environment = 'sandbox' | 'production'
