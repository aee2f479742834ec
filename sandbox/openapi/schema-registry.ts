import { z } from 'zod'
import type { Dialect } from '@/sandbox/dialects/dialect'
import { uuidPattern } from '@/sandbox/store/new-id'

/** A JSON Schema (draft 2020-12), or any other object of the document. */
export type Json = Record<string, unknown>

/** Formats a reader of the document understands by name; the patterns zod adds to them are hundreds of characters that say no more. */
const named = new Set(['date-time', 'date', 'email', 'ipv4', 'uuid', 'uri'])

const reference = '#/$defs/'

/** Makes zod's JSON Schema readable: no pattern beside a format, no bounds that only say that JavaScript's whole numbers end somewhere. */
function tidy({ jsonSchema }: { jsonSchema: Json }): void {
  if (jsonSchema.pattern === uuidPattern.source) jsonSchema.format = 'uuid'
  if (named.has(String(jsonSchema.format))) delete jsonSchema.pattern
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

/**
 * Gathers the schemas of the document. A schema with an id in its `meta` is written once, under that id, and referred to; what is read from a
 * client is written apart from what is answered, because the two differ in what may be left out.
 */
export class SchemaRegistry {
  readonly #components = new Map<string, string>()
  readonly #describe: Dialect['describe']

  /** `describe` is how the dialect changes what is said of answers. */
  constructor({ describe }: Pick<Dialect, 'describe'>) {
    this.#describe = describe
  }

  /**
   * The schema as it is in an operation. Throws Error for what JSON Schema cannot say, and for an id that two different schemas carry:
   * both are mistakes of the code.
   */
  add(schema: z.ZodType, io: 'input' | 'output'): Json {
    const {
      $schema: _dialect,
      $defs = {},
      ...own
    } = z.toJSONSchema(schema, { io, override: io === 'output' ? this.#tellAnswer : tidy }) as Json & { $defs?: Record<string, Json> }
    const nameOf = (id: string) => (io === 'output' || id.endsWith('Input') ? id : `${id}Input`)
    const placed = (part: Json): Json =>
      JSON.parse(JSON.stringify(part), (key, value) =>
        key === '$ref' && typeof value === 'string' && value.startsWith(reference)
          ? `#/components/schemas/${nameOf(value.slice(reference.length))}`
          : value,
      )
    for (const [id, part] of Object.entries($defs)) this.name(nameOf(id), placed(part))
    return placed(own)
  }

  /** Puts a schema under a name and gives the reference to it. Throws Error when the name is taken by a different one. */
  name(name: string, schema: Json): Json {
    const text = JSON.stringify(schema)
    const known = this.#components.get(name)
    if (known !== undefined && known !== text) throw new Error(`two different schemas are called ${name}`)
    this.#components.set(name, text)
    return { $ref: `#/components/schemas/${name}` }
  }

  #tellAnswer = (context: { jsonSchema: Json }): void => {
    tidy(context)
    this.#describe(context.jsonSchema)
  }

  /** All named schemas, by name. */
  components(): Record<string, Json> {
    const sorted = [...this.#components].toSorted(([left], [right]) => (left < right ? -1 : 1))
    return Object.fromEntries(sorted.map(([name, text]) => [name, JSON.parse(text) as Json]))
  }
}
