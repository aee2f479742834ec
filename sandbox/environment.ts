/** sandbox: no real money; production: rate limits and no simulation. */
export type Environment = 'sandbox' | 'production'
