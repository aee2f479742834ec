import { spawn } from 'node:child_process'

/** Runs one of the built commands with these variables and nothing else of ours; gives its exit code and everything it wrote. */
export function runCommand(name: string, args: readonly string[], env: Record<string, string>, input = '') {
  const child = spawn(process.execPath, [`build/${name}.mjs`, ...args], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', DATABASE_URL: '', ...env },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      text += part.toString()
    })
  }
  child.stdin.end(input)
  return new Promise<{ code: number | null; text: string }>((resolve) => child.once('close', (code) => resolve({ code, text })))
}
