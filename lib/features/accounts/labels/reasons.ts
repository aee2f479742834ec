import { type DecisionReason, dataChangeReasons } from '@/lib/domain/reasons'

/** The service accepts no reason for a change, so only the action log stores it. */
export const accountReasons: readonly DecisionReason[] = [
  {
    code: 'BUSINESS_CHANGED',
    label: 'Business details changed',
    template: 'The business reported new details.',
  },
  dataChangeReasons.corrected,
  dataChangeReasons.documents,
  dataChangeReasons.verification,
  dataChangeReasons.metadata,
]

export const representativeReasons: readonly DecisionReason[] = [
  {
    code: 'DETAILS_CHANGED',
    label: 'Personal details changed',
    template: 'The representative reported new personal details.',
  },
  {
    code: 'ROLE_CHANGED',
    label: 'Role or ownership changed',
    template: 'The role or ownership of the representative in the business changed.',
  },
  dataChangeReasons.corrected,
  dataChangeReasons.documents,
  dataChangeReasons.verification,
  dataChangeReasons.metadata,
]

type LinkedBankAction = 'create' | 'update' | 'cancel'

const ownerRequestReason = { code: 'ACCOUNT_REQUEST', label: 'Account owner request' }

/**
 * Each of these changes requires a reason, because money settles through these bank accounts. Only
 * the action log stores the reason.
 */
export const linkedBankReasons: Readonly<Record<LinkedBankAction, readonly DecisionReason[]>> = {
  create: [
    {
      code: 'SETTLEMENT_SETUP',
      label: 'Settlement setup',
      template: 'The account needs a bank account for settlement or billing.',
    },
    {
      code: 'REPLACES_BANK_ACCOUNT',
      label: 'Replaces another one',
      template: 'This bank account replaces one that is no longer used.',
    },
    {
      ...ownerRequestReason,
      template: 'The account owner asked to settle with this bank account.',
    },
  ],
  update: [
    {
      code: 'NUMBER_CORRECTED',
      label: 'Number corrected',
      template: 'The routing or account number was entered incorrectly.',
    },
    {
      code: 'HOLDER_CORRECTED',
      label: 'Account holder corrected',
      template: 'The name of the account holder was entered incorrectly.',
    },
    dataChangeReasons.verification,
    dataChangeReasons.metadata,
  ],
  cancel: [
    {
      code: 'LINKED_IN_ERROR',
      label: 'Linked in error',
      template: 'The bank account was linked by mistake.',
    },
    {
      code: 'BANK_ACCOUNT_CLOSED',
      label: 'Bank account is closed',
      template: 'The bank account was closed or replaced by another one.',
    },
    { ...ownerRequestReason, template: 'The account owner asked to stop using this bank account.' },
    {
      code: 'RISK_SIGNAL',
      label: 'Risk signal',
      template: 'A risk signal advises against using this bank account.',
    },
  ],
}
