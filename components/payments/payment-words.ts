/** How a payer agreed to a charge, in words; `signed` is the provider's older word (provider facts 2.2). */
export const consentWords: Readonly<Record<string, string>> = {
  internet: 'Agreed on the internet',
  signed_agreement: 'Signed agreement',
  signed: 'Signed agreement',
}

/** What the service does about the balance before it takes the money, in words. */
export const balanceCheckWords: Readonly<Record<string, string>> = {
  enabled: 'Looked at where it can be read',
  required: 'Required: refused where it cannot be read',
  disabled: 'Not looked at',
}

/** How a test may want a payment to end, in words; only the sandbox listens. */
export const outcomeChoices: Readonly<Record<string, string>> = {
  standard: 'Standard: the usual course',
  paid: 'Paid',
  on_hold_daily_limit: 'Held over the daily limit',
  cancelled_for_fraud_risk: 'Cancelled: fraud risk',
  cancelled_for_balance_check: 'Cancelled: balance check',
  failed_insufficient_funds: 'Failed, R01: not enough funds',
  reversed_insufficient_funds: 'Reversed, R01: not enough funds',
  failed_customer_dispute: 'Failed, R05: customer disputes it',
  reversed_customer_dispute: 'Reversed, R05: customer disputes it',
  failed_closed_bank_account: 'Failed, R02: account closed',
  reversed_closed_bank_account: 'Reversed, R02: account closed',
  failed_not_authorized: 'Failed, R29: business did not authorise',
  reversed_not_authorized: 'Reversed, R29: business did not authorise',
}
