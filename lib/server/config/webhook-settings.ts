import 'server-only'
import * as z from 'zod'
import type { Environment } from '@/lib/operations/define'
import { webhookSecret } from './setting-forms'

export const webhookShape = z.object({
  SERVICE_SANDBOX_WEBHOOK_SECRET: webhookSecret.optional(),
  SERVICE_SANDBOX_WEBHOOK_SECRET_PREVIOUS: webhookSecret.optional(),
  SERVICE_SANDBOX_WEBHOOK_UNSIGNED: z.literal('1', 'must be 1 or left out').optional(),
  SERVICE_PRODUCTION_WEBHOOK_SECRET: webhookSecret.optional(),
  SERVICE_PRODUCTION_WEBHOOK_SECRET_PREVIOUS: webhookSecret.optional(),
  EMBEDDED_SANDBOX_WEBHOOK_SECRET: webhookSecret.optional(),
})

type WebhookVariables = z.output<typeof webhookShape>

export function checkWebhooks(value: WebhookVariables, context: z.core.$RefinementCtx<WebhookVariables>): void {
  const refuse = (name: keyof WebhookVariables, message: string) => context.addIssue({ code: 'custom', path: [name], message })
  for (const name of ['SERVICE_SANDBOX', 'SERVICE_PRODUCTION'] as const) {
    const [secret, previous] = [`${name}_WEBHOOK_SECRET`, `${name}_WEBHOOK_SECRET_PREVIOUS`] as const
    if (value[previous] && !value[secret]) refuse(previous, `must not be set without ${secret}`)
  }
  if (value.SERVICE_SANDBOX_WEBHOOK_UNSIGNED && value.SERVICE_SANDBOX_WEBHOOK_SECRET) {
    refuse('SERVICE_SANDBOX_WEBHOOK_UNSIGNED', 'must not be set beside SERVICE_SANDBOX_WEBHOOK_SECRET')
  }
}

/**
 * Verification of an environment's webhooks: a signature with any of `secrets` is valid. During a rotation, the second one is the previous
 * secret. `unsigned` accepts webhooks without a signature. With neither, all webhooks are refused.
 */
export type WebhookTrust = { secrets: readonly string[]; unsigned: boolean }

const listDefined = (...values: readonly (string | undefined)[]): string[] => values.flatMap((value) => value ?? [])

export function toWebhookTrust(value: WebhookVariables): Record<Environment, WebhookTrust> {
  const sandbox = value.EMBEDDED_SANDBOX_WEBHOOK_SECRET ?? value.SERVICE_SANDBOX_WEBHOOK_SECRET
  return {
    sandbox: {
      secrets: listDefined(sandbox, value.SERVICE_SANDBOX_WEBHOOK_SECRET_PREVIOUS),
      unsigned: value.SERVICE_SANDBOX_WEBHOOK_UNSIGNED !== undefined,
    },
    production: {
      secrets: listDefined(value.SERVICE_PRODUCTION_WEBHOOK_SECRET, value.SERVICE_PRODUCTION_WEBHOOK_SECRET_PREVIOUS),
      unsigned: false,
    },
  }
}
