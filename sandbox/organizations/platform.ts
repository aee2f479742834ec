/** The one platform whose keys a sandbox knows; what belongs to no account belongs to it. */
export const platformId = '018cc251-f400-7000-8000-00000000a11e'
