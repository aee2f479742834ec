import {
  allRoles,
  createChangeFieldRule,
  createDecisionFieldRule,
  defineOperations,
  evidenceRoles,
  moneyRoles,
  requiredPaymentFields,
} from './define'

type PaymentResource = 'charges' | 'payouts'

const toSingular = (resource: PaymentResource) => (resource === 'charges' ? 'charge' : 'payout')

const toWriteDefaults = <R extends PaymentResource>(resource: R) =>
  ({
    accountHeader: { saas: 'required', marketplace: 'required' },
    allow: moneyRoles,
    invalidates: [resource, 'payments'],
  }) as const

const moneyDirections = { payouts: 'out', charges: 'in' } as const

const toMoneyDefaults = <R extends PaymentResource>(resource: R) =>
  ({
    ...toWriteDefaults(resource),
    effect: 'money',
    money: moneyDirections[resource],
    stepUp: 'recent',
    amount: 'asked',
  }) as const

/**
 * The operations that are the same for charges and payouts (interface document, "Operations";
 * provider facts 1.4, 1.5).
 */
function defineReadsAndProofUpload<R extends PaymentResource>(resource: R) {
  const singular = toSingular(resource)
  return {
    get: {
      method: 'GET',
      path: `/${resource}/:id`,
      accountHeader: { saas: 'optional', marketplace: 'optional' },
      allow: allRoles,
      effect: 'read',
      verbPhrase: `read a ${singular}`,
    },
    unmask: {
      method: 'GET',
      path: `/${resource}/:id/unmask`,
      accountHeader: { saas: 'optional', marketplace: 'optional' },
      allow: evidenceRoles,
      effect: 'read',
      reason: 'kept',
      sensitive: true,
      stepUp: 'recent',
      verbPhrase: `reveal masked data of a ${singular}`,
    },
    authorize: {
      method: 'POST',
      path: `/${resource}/:id/authorization`,
      accountHeader: { saas: 'required', marketplace: 'required' },
      allow: evidenceRoles,
      effect: 'write',
      body: 'file',
      proof: 'kept',
      creates: null,
      invalidates: [resource, 'documents'],
      verbPhrase: `upload an authorization proof for a ${singular}`,
      done: 'Document attached',
      requestNoun: 'upload',
    },
  } as const
}

function defineMoneyOperations<R extends PaymentResource>(resource: R) {
  const singularNoun = toSingular(resource)
  const capitalizedNoun = resource === 'charges' ? 'Charge' : 'Payout'
  const moneyDefaults = toMoneyDefaults(resource)
  return {
    create: {
      ...moneyDefaults,
      method: 'POST',
      path: `/${resource}`,
      reason: 'kept',
      fills: 'paykey',
      creates: resource,
      verbPhrase: `create a ${singularNoun}`,
      done: `${capitalizedNoun} created`,
      requestNoun: `${singularNoun}`,
    },
    // The policy checks the larger amount, old or new: a person could lower it, have the payment
    // released, and raise it again.
    update: {
      ...moneyDefaults,
      amount: 'larger',
      method: 'PUT',
      path: `/${resource}/:id`,
      reason: 'kept',
      restsOn: createChangeFieldRule(
        ...requiredPaymentFields,
        'description',
        'payment_date',
        'metadata',
      ),
      verbPhrase: `change a ${singularNoun}`,
      done: `${capitalizedNoun} saved`,
      requestNoun: 'change',
    },
    resubmit: {
      ...moneyDefaults,
      method: 'POST',
      path: `/${resource}/:id/resubmit`,
      reason: 'kept',
      creates: resource,
      hooks: ['before'],
      restsOn: createDecisionFieldRule(...requiredPaymentFields),
      verbPhrase: `resubmit a ${singularNoun}`,
      done: 'Resubmitted as a new payment',
      requestNoun: 'resubmission',
    },
  } as const
}

/** The decisions on a payment that was not sent to the bank yet. The service stores the reason. */
function defineDecisions<R extends PaymentResource>(resource: R) {
  const paymentNoun = toSingular(resource)
  const writeDefaults = toWriteDefaults(resource)
  return {
    hold: {
      ...writeDefaults,
      method: 'PUT',
      path: `/${resource}/:id/hold`,
      effect: 'write',
      reason: 'sent',
      restsOn: createDecisionFieldRule('status'),
      verbPhrase: `hold a ${paymentNoun}`,
      done: 'Held',
      requestNoun: 'hold',
    },
    release: {
      ...toMoneyDefaults(resource),
      method: 'PUT',
      path: `/${resource}/:id/release`,
      reason: 'sent',
      hooks: ['before'],
      restsOn: createDecisionFieldRule(...requiredPaymentFields),
      verbPhrase: `release a ${paymentNoun}`,
      done: 'Released',
      requestNoun: 'release',
    },
    cancel: {
      ...writeDefaults,
      method: 'PUT',
      path: `/${resource}/:id/cancel`,
      effect: 'irreversible',
      reason: 'sent',
      restsOn: createDecisionFieldRule(...requiredPaymentFields),
      verbPhrase: `cancel a ${paymentNoun}`,
      done: 'Canceled',
      requestNoun: 'cancellation',
    },
  } as const
}

const definePaymentOperations = <R extends PaymentResource>(resource: R) => ({
  ...defineReadsAndProofUpload(resource),
  ...defineMoneyOperations(resource),
  ...defineDecisions(resource),
})

const payoutOperations = definePaymentOperations('payouts')
const chargeOperations = definePaymentOperations('charges')

/** The provider has no list of payouts alone (it responds with 405), only the search. */
export const payments = defineOperations({
  'payouts.create': payoutOperations.create,
  'payouts.get': payoutOperations.get,
  'payouts.unmask': payoutOperations.unmask,
  'payouts.update': payoutOperations.update,
  'payouts.hold': payoutOperations.hold,
  'payouts.release': payoutOperations.release,
  'payouts.cancel': payoutOperations.cancel,
  'payouts.resubmit': payoutOperations.resubmit,
  'payouts.authorize': payoutOperations.authorize,
  'payments.search': {
    method: 'GET',
    path: '/payments',
    accountHeader: { saas: 'optional', marketplace: 'optional' },
    allow: allRoles,
    effect: 'read',
    mirrored: true,
    checksFilter: true,
    verbPhrase: 'search payments',
  },
  'charges.create': chargeOperations.create,
  'charges.get': chargeOperations.get,
  'charges.unmask': chargeOperations.unmask,
  'charges.update': chargeOperations.update,
  'charges.hold': chargeOperations.hold,
  'charges.release': chargeOperations.release,
  'charges.cancel': chargeOperations.cancel,
  'charges.resubmit': chargeOperations.resubmit,
  'charges.refund': {
    ...chargeOperations.resubmit,
    money: 'out',
    path: '/charges/:id/refund',
    creates: 'payouts',
    invalidates: ['charges', 'payouts', 'payments'],
    verbPhrase: 'refund a charge',
    done: 'Refund created',
    requestNoun: 'refund',
  },
  'charges.authorize': chargeOperations.authorize,
})
