import { defineOperations, movers, type OperationRow } from './define'

const intake = { method: 'POST', scope: 'required', allow: movers, effect: 'write' } as const satisfies Partial<OperationRow>

/** Bridge operations: the only way a paykey is made (provider facts 1.2). */
export const bridge = defineOperations({
  'bridge.initialize': { ...intake, path: '/bridge/initialize', credential: true, does: 'start connecting a bank account' },
  'bridge.bank_account': { ...intake, path: '/bridge/bank_account', invalidates: ['paykeys'], does: 'connect a bank account' },
  'bridge.tan': { ...intake, path: '/bridge/tan', invalidates: ['paykeys'], does: 'connect a bank account by a tokenised number' },
  'bridge.plaid': { ...intake, path: '/bridge/plaid', invalidates: ['paykeys'], does: 'connect a bank account through Plaid' },
  'bridge.quiltt': { ...intake, path: '/bridge/quiltt', invalidates: ['paykeys'], does: 'connect a bank account through Quiltt' },
  'bridge.speedchex': { ...intake, path: '/bridge/speedchex', invalidates: ['paykeys'], does: 'connect a bank account through Speedchex' },
})
