import 'server-only'
import * as z from 'zod'
import type { Environment } from '@/lib/operations/define'
import { type Integration, integrations } from '@/lib/operations/integration'

const integrationShape = z
  .enum(integrations, 'must be saas, marketplace or account')
  .default('saas')

export const integrationVariables = {
  SERVICE_SANDBOX_INTEGRATION: integrationShape,
  SERVICE_PRODUCTION_INTEGRATION: integrationShape,
}

/** The start has checked the setting. Read alone, because permissions depend on no other setting. */
export const getIntegration = (environment: Environment): Integration =>
  integrationShape.parse(
    process.env[`SERVICE_${environment === 'sandbox' ? 'SANDBOX' : 'PRODUCTION'}_INTEGRATION`] ||
      undefined,
  )
