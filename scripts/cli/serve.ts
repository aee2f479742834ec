import { parseArgs } from 'node:util'
import { serve } from '@/lib/server/http/listen/serve'

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '3000' },
    dev: { type: 'boolean', default: false },
  },
})

serve({ host: values.host, port: Number(values.port), dev: values.dev }).then(
  () => process.stdout.write('✓ Ready\n'),
  (error: unknown) => {
    process.stderr.write(`Paydesk cannot start: ${error instanceof Error ? error.message : 'unknown reason'}\n`)
    process.exit(1)
  },
)
