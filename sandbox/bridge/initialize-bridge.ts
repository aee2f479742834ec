import { z } from 'zod'
import { objectOperation } from '@/sandbox/operation'
import { requireLinkable } from '@/sandbox/paykeys/linking-rules'
import { newId } from '@/sandbox/store/new-id'
import { initializeBody, wishOf } from './bridge-bodies'
import { signBridgeToken } from './bridge-token'

const bridgeToken = z.strictObject({ bridge_token: z.string() }).meta({ id: 'BridgeToken', description: 'A token for the hosted page.' })

/** `POST /v1/bridge/initialize`: a token with which the hosted page links a bank account for one customer. It changes no object. */
export const initializeBridge = objectOperation({
  id: 'bridge.initialize',
  method: 'POST',
  path: '/v1/bridge/initialize',
  summary: 'Start linking a bank account on the hosted page',
  account: 'required',
  status: 201,
  input: initializeBody,
  output: bridgeToken,
  handle: ({ sandbox, input, account, now }) => {
    const wish = wishOf(input, account)
    const customer = requireLinkable(sandbox, wish)
    const grant = {
      ...{ jti: newId(now), customer_id: customer.id, account_id: sandbox.accounts.idOf(wish.account) },
      ...wish.config,
      external_id: wish.external_id,
    }
    return { bridge_token: signBridgeToken(sandbox, grant, now) }
  },
})
