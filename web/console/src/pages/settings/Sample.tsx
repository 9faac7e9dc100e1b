import { useState } from 'react'
import { graphql } from 'react-relay'
import type { SampleMutation, SampleMutation$data } from '../../__generated__/SampleMutation.graphql'
import { useAction } from '../../core/action'
import { useEdits } from '../../core/edits'
import type { Platform } from '../../core/enums'
import { ApiError } from '../../core/errors'
import { money } from '../../core/format'
import { useProblems } from '../../core/problems'
import { useLimits, usePlatforms } from '../../text/limits'
import { Button } from '../../ui/button'
import { Input, Select } from '../../ui/field'
import { Card } from '../../ui/parts'
import { platformName } from '../../ui/platform'
import { Post } from '../../ui/post/Post'
import { Problem } from '../../ui/problem'
import type { BrandInput } from './brandForm'

type Written = NonNullable<SampleMutation$data['writeSample']>['sample'] & { platform: Platform }

// Sample has the writer write a post by the brand as the form has it now. Nothing is stored.
export function Sample({ brand, onFailed }: { brand: () => BrandInput; onFailed: (e: Error) => boolean }) {
  const all = usePlatforms()
  const limits = useLimits()
  const [platform, setPlatform] = useState<Platform>((all.find((p) => p.connected) ?? all[0])?.platform ?? 'LINKEDIN')
  const { values, set } = useEdits('sample', { subject: '' })
  const { subject } = values
  const [sample, setSample] = useState<Written | null>(null)
  const { of, rest, clear, failed } = useProblems('subject')
  const [run, busy] = useAction<SampleMutation>(graphql`
    mutation SampleMutation($input: WriteSampleInput!) {
      writeSample(input: $input) {
        sample {
          text
          facts {
            text
          }
          costCents
        }
      }
    }
  `)
  const write = () => {
    clear()
    run({
      variables: { input: { platform, subject: subject.trim() || null, brand: brand() } },
      done: (r) => setSample({ ...r.writeSample!.sample, platform }),
      // What is wrong with the form is said there.
      failed: (e) => (e instanceof ApiError && e.param?.includes('brand') ? onFailed(e) : failed(e)),
    })
  }
  return (
    <div className="sample">
      <Card title="How it sounds">
        <form
          className="stack"
          noValidate
          onSubmit={(e) => {
            e.preventDefault()
            if (!busy) write()
          }}
        >
          <Select label="Platform" value={platform} onChange={(e) => setPlatform(e.target.value as Platform)}>
            {all.map((p) => (
              <option key={p.platform} value={p.platform}>
                {platformName(p.platform)}
              </option>
            ))}
          </Select>
          <Input
            label="Subject"
            optional
            maxLength={500}
            placeholder="What we do and for whom"
            value={subject}
            problem={of('subject')}
            onChange={(e) => (set({ subject: e.target.value }), clear())}
          />
          <div className="row wrap">
            <Button type="submit" icon="edit" busy={busy}>
              {sample ? 'Write another' : 'Write a sample'}
            </Button>
            <span className="xsmall muted" role="status">
              {busy ? 'Being written…' : 'By the form as it is now. Nothing is stored.'}
            </span>
          </div>
          <Problem of={rest} />
          {sample && (
            <>
              <Post platform={sample.platform} handle={null} parts={[sample.text]} limits={limits(sample.platform, null)} />
              {sample.facts.length > 0 && <p className="xsmall muted">It states: {sample.facts.map((f) => f.text).join(' ')}</p>}
              {sample.costCents > 0 && <p className="xsmall muted">Writing it cost {money(sample.costCents)}.</p>}
            </>
          )}
        </form>
      </Card>
    </div>
  )
}
