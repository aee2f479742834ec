import { parseArgs } from 'node:util'
import { createPerson } from '@/lib/server/auth/people'
import { closeStore } from '@/lib/server/store/store'
import { askPassword } from './ask-password'
import { runCli } from './run-cli'

const usage =
  'npm run admin:create -- --email dana@company.com --name "Dana Smith" [--role admin]\nThe password is asked for, or read from standard input.'

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      email: { type: 'string' },
      name: { type: 'string' },
      role: { type: 'string', default: 'admin' },
      help: { type: 'boolean' },
    },
  })
  if (values.help || !values.email || !values.name) {
    process.stdout.write(`${usage}\n`)
    return values.help ? 0 : 2
  }
  const password = await askPassword('Password (12 characters or more): ')
  await createPerson({ email: values.email, name: values.name, role: values.role, password })
  await closeStore()
  process.stdout.write(`${values.role} ${values.email} may sign in now\n`)
  return 0
}

runCli(main)
