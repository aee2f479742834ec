/** sandbox: moves no real money; production: rate-limited and without simulation. */
export type Environment = 'sandbox' | 'production'
