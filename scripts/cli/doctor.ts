import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { type Environment, environments } from '@/lib/operations/define'
import { countVerdicts } from '@/lib/operations/service-check'
import { createPlatformScope } from '@/lib/server/auth/scoped-account'
import { listConfiguredEnvironments } from '@/lib/server/config/env'
import { checkService } from '@/lib/server/service/doctor/check-service'
import { formatServiceReport } from './report-text'
import { runCli } from './run-cli'

const usage = `npm run doctor -- [--environment sandbox|production]
Holds the settings against the payments service. It only reads there, and may run beside a running Paydesk.
Ends with 0 when no mismatch was found, 1 when one was, 2 when nothing is configured or the settings cannot be read.`

const configurationErrorExitCode = 2

/**
 * Returns random values for settings that requests to the service do not use. The command can
 * therefore check the service before the first `npm start`, which generates the real values.
 */
function generatePlaceholderSettings(): Record<string, string> {
  const generateSecret = () => randomBytes(32).toString('base64url')
  return {
    APP_ORIGIN: 'http://127.0.0.1',
    AUTH_SECRET: generateSecret(),
    ENCRYPTION_KEY: generateSecret(),
  }
}

/**
 * Returns an error message if no environment is configured, or not the requested one. Throws if a
 * setting is invalid.
 */
function selectEnvironmentsOrError(environmentName: string | undefined): Environment[] | string {
  const isSet = (name: string) => (process.env[name] ?? '') !== ''
  if (
    !environments.some(
      (name) =>
        isSet(`SERVICE_${name.toUpperCase()}_URL`) ||
        isSet(`SERVICE_${name.toUpperCase()}_API_KEY`),
    )
  ) {
    return 'No payments service is configured: set SERVICE_SANDBOX_URL and SERVICE_SANDBOX_API_KEY in .env (.env.example lists every setting)'
  }
  for (const [name, value] of Object.entries(generatePlaceholderSettings()))
    if (!isSet(name)) process.env[name] = value
  const configuredEnvironments = listConfiguredEnvironments()
  if (environmentName === undefined) return configuredEnvironments
  const matchingEnvironments = configuredEnvironments.filter((name) => name === environmentName)
  return matchingEnvironments.length > 0
    ? matchingEnvironments
    : `${environmentName} is not configured; there is ${configuredEnvironments.join(' and ')}`
}

async function checkEnvironment(environment: Environment): Promise<boolean> {
  const serviceReport = await checkService(
    createPlatformScope(environment, { person: null, priority: 'read' }),
  )
  process.stdout.write(`${formatServiceReport(serviceReport)}\n`)
  return countVerdicts(serviceReport).does_not_fit === 0
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { environment: { type: 'string' }, help: { type: 'boolean' } },
  })
  if (values.help) {
    process.stdout.write(`${usage}\n`)
    return 0
  }
  const selectedEnvironments = selectEnvironmentsOrError(values.environment)
  if (typeof selectedEnvironments === 'string') {
    process.stderr.write(`${selectedEnvironments}\n`)
    return configurationErrorExitCode
  }
  let allEnvironmentsFit = true
  for (const environment of selectedEnvironments)
    allEnvironmentsFit = (await checkEnvironment(environment)) && allEnvironmentsFit
  return allEnvironmentsFit ? 0 : 1
}

runCli(main, configurationErrorExitCode)
