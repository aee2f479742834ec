/** The one platform of a sandbox's keys. It owns objects without an account. */
export const platformId = '018cc251-f400-7000-8000-00000000a11e'
