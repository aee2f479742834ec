export const accountNouns = { resource: 'accounts', one: 'account', many: 'accounts' } as const

export const organizationNouns = {
  resource: 'organizations',
  one: 'organization',
  many: 'organizations',
} as const

export const linkedBankAccountNouns = {
  resource: 'linked_bank_accounts',
  one: 'linked bank account',
  many: 'linked bank accounts',
} as const

export const representativeNouns = {
  resource: 'representatives',
  one: 'representative',
  many: 'representatives',
} as const
