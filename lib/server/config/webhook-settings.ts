import 'server-only'
import * as z from 'zod'
import type { Environment } from '@/lib/operations/define'
import { webhookSecretShape } from './setting-forms'

export const webhookShape = z.object({
  SERVICE_SANDBOX_WEBHOOK_SECRET: webhookSecretShape.optional(),
  SERVICE_SANDBOX_WEBHOOK_SECRET_PREVIOUS: webhookSecretShape.optional(),
  SERVICE_SANDBOX_WEBHOOK_UNSIGNED: z.literal('1', 'must be 1 or left out').optional(),
  SERVICE_PRODUCTION_WEBHOOK_SECRET: webhookSecretShape.optional(),
  SERVICE_PRODUCTION_WEBHOOK_SECRET_PREVIOUS: webhookSecretShape.optional(),
  EMBEDDED_SANDBOX_WEBHOOK_SECRET: webhookSecretShape.optional(),
})

type WebhookVariables = z.output<typeof webhookShape>

export function checkWebhookVariables(
  value: WebhookVariables,
  context: z.core.$RefinementCtx<WebhookVariables>,
): void {
  const addIssue = (name: keyof WebhookVariables, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message })
  for (const name of ['SERVICE_SANDBOX', 'SERVICE_PRODUCTION'] as const) {
    const [secret, previous] = [
      `${name}_WEBHOOK_SECRET`,
      `${name}_WEBHOOK_SECRET_PREVIOUS`,
    ] as const
    if (value[previous] && !value[secret]) addIssue(previous, `must not be set without ${secret}`)
  }
  if (value.SERVICE_SANDBOX_WEBHOOK_UNSIGNED && value.SERVICE_SANDBOX_WEBHOOK_SECRET) {
    addIssue(
      'SERVICE_SANDBOX_WEBHOOK_UNSIGNED',
      'must not be set beside SERVICE_SANDBOX_WEBHOOK_SECRET',
    )
  }
}

/**
 * A signature with any of `secrets` is valid; during a rotation, the second one is the previous
 * secret. With `unsigned`, webhooks without a signature are accepted. Without both, all are
 * refused.
 */
export type WebhookSigningSettings = { secrets: readonly string[]; unsigned: boolean }

const listDefinedSecrets = (...values: readonly (string | undefined)[]): string[] =>
  values.flatMap((value) => value ?? [])

export function toWebhookSigningSettings(
  value: WebhookVariables,
): Record<Environment, WebhookSigningSettings> {
  const sandboxWebhookSecret =
    value.EMBEDDED_SANDBOX_WEBHOOK_SECRET ?? value.SERVICE_SANDBOX_WEBHOOK_SECRET
  return {
    sandbox: {
      secrets: listDefinedSecrets(
        sandboxWebhookSecret,
        value.SERVICE_SANDBOX_WEBHOOK_SECRET_PREVIOUS,
      ),
      unsigned: value.SERVICE_SANDBOX_WEBHOOK_UNSIGNED !== undefined,
    },
    production: {
      secrets: listDefinedSecrets(
        value.SERVICE_PRODUCTION_WEBHOOK_SECRET,
        value.SERVICE_PRODUCTION_WEBHOOK_SECRET_PREVIOUS,
      ),
      unsigned: false,
    },
  }
}
