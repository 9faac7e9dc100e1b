{{/* The name of the release's objects. */}}
{{- define "missiond.name" -}}
{{- if contains "missiond" .Release.Name }}{{ .Release.Name | trunc 48 | trimSuffix "-" }}{{ else }}{{ printf "%s-missiond" .Release.Name | trunc 48 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* The labels that select the pods of all components. */}}
{{- define "missiond.selector" -}}
app.kubernetes.io/name: missiond
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* The labels of an object. */}}
{{- define "missiond.labels" -}}
{{ include "missiond.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "missiond.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (include "missiond.name" .) }}{{ else }}{{ .Values.serviceAccount.name | default "default" }}{{ end }}
{{- end }}

{{/* The image, with the tag of a component: (list $ tag). */}}
{{- define "missiond.image" -}}
{{- $root := index . 0 -}}
{{ required "image.repository is required, such as ghcr.io/OWNER/missiond" $root.Values.image.repository }}:{{ index . 1 | default (required "image.tag is required" $root.Values.image.tag) }}
{{- end }}

{{/* Where browsers reach the service; empty if that isn't known. */}}
{{- define "missiond.publicURL" -}}
{{- if .Values.publicURL }}{{ .Values.publicURL }}{{ else if and .Values.ingress.enabled .Values.ingress.host }}https://{{ .Values.ingress.host }}{{ end }}
{{- end }}

{{/* Variables from Secrets: (list $ required-variables optional-variables). */}}
{{- define "missiond.secrets" -}}
{{- $root := index . 0 -}}
{{- $optional := index . 2 -}}
{{- range concat (index . 1) $optional }}
{{- $ref := index $root.Values.secret.elsewhere . | default dict }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      name: {{ $ref.name | default (required "secret.name is required" $root.Values.secret.name) }}
      key: {{ $ref.key | default . }}
      {{- if and (has . $optional) (not $ref) }}
      optional: true
      {{- end }}
{{- end }}
{{- end }}

{{/* Variables with values, sorted by name; the later dictionaries win: (list dict…). */}}
{{- define "missiond.variables" -}}
{{- $all := dict }}
{{- range . }}{{- $all = mergeOverwrite $all (deepCopy .) }}{{- end }}
{{- range $name, $value := $all }}
{{- if ne (toString $value) "" }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- end }}
{{- end }}

{{/* What serve and worker are configured with, besides secrets: (list $ component-values more-variables). */}}
{{- define "missiond.config" -}}
{{- $root := index . 0 -}}
{{- $component := index . 1 -}}
{{- $own := dict
  "MISSIOND_DATABASE_CONNECTIONS" $root.Values.database.connections
  "MISSIOND_PUBLIC_URL" (include "missiond.publicURL" $root)
  "MISSIOND_MEDIA_URL" $root.Values.media.url
  "GOMEMLIMIT" (printf "%dMiB" (div (mul $component.memoryMiB 9) 10)) }}
{{- include "missiond.variables" (list $root.Values.config $component.config $own (index . 2)) }}
{{- end }}

{{/* Processor time and memory of a component. Memory isn't overcommitted. */}}
{{- define "missiond.resources" -}}
requests:
  cpu: {{ .cpu | quote }}
  memory: {{ .memoryMiB }}Mi
limits:
  memory: {{ .memoryMiB }}Mi
{{- end }}

{{/* The resources of a worker, with the memory of the children that examine files. */}}
{{- define "missiond.workerResources" -}}
{{- $children := ternary .Values.media.memoryMiB 0 (ne .Values.media.url "") }}
{{- include "missiond.resources" (dict "cpu" .Values.worker.cpu "memoryMiB" (add .Values.worker.memoryMiB $children)) }}
{{- end }}

{{/* The keys of the bucket that has pictures and videos. */}}
{{- define "missiond.mediaSecrets" -}}
{{- if hasPrefix "s3://" .Values.media.url }}
{{- include "missiond.secrets" (list . list (list "AWS_ACCESS_KEY_ID" "AWS_SECRET_ACCESS_KEY")) }}
{{- end }}
{{- end }}

{{/* The volume that has pictures and videos. The program makes the folder of its own below. */}}
{{- define "missiond.mediaVolumes" -}}
{{- with .Values.media.existingClaim -}}
volumes:
  - name: media
    persistentVolumeClaim: {claimName: {{ . | quote }}}
{{- end }}
{{- end }}

{{- define "missiond.mediaMounts" -}}
{{- if .Values.media.existingClaim -}}
volumeMounts:
  - {name: media, mountPath: /var/lib/missiond}
{{- end }}
{{- end }}

{{/* Fails if the store of files and the volume don't belong together. */}}
{{- define "missiond.checkMedia" -}}
{{- $folder := hasPrefix "file://" .Values.media.url }}
{{- if and $folder (not .Values.media.existingClaim) }}
{{- fail "media.existingClaim is required if media.url begins with file://: the pods have no folder in common otherwise" }}
{{- else if and .Values.media.existingClaim (not $folder) }}
{{- fail "media.existingClaim needs a media.url below file:///var/lib/missiond/" }}
{{- end }}
{{- end }}

{{- define "missiond.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
{{- if .Values.media.existingClaim }}
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
{{- end }}
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "missiond.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* What all pods' specs have. Links to services would be variables that start with MISSIOND_. */}}
{{- define "missiond.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  {{- include "missiond.podSecurity" . | nindent 2 }}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.pods.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.pods.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.pods.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end }}

{{/* Pods of a component on different nodes and in different zones, if there are any: (list $ component). */}}
{{- define "missiond.spread" -}}
{{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
- maxSkew: 1
  topologyKey: {{ . }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "missiond.selector" (index $ 0) | nindent 6 }}
      app.kubernetes.io/component: {{ index $ 1 }}
  matchLabelKeys: [pod-template-hash]
{{- end }}
{{- end }}

{{/* The most pods of a component. */}}
{{- define "missiond.most" -}}
{{- if .autoscaling.enabled }}{{ .autoscaling.maxReplicas }}{{ else }}{{ .replicas }}{{ end }}
{{- end }}

{{/* Fails if the processes may have more connections than the database allows: those of an upgrade, one more
of each component and the migration, and Postgres's reserve of 3. */}}
{{- define "missiond.checkConnections" -}}
{{- $processes := add (include "missiond.most" .Values.serve) (include "missiond.most" .Values.worker) 3 }}
{{- $needed := add (mul $processes .Values.database.connections) 3 }}
{{- if and .Values.database.maxConnections (gt $needed (int64 .Values.database.maxConnections)) }}
{{- fail (printf "%d processes with %d connections each need %d, and database.maxConnections is %d: lower database.connections, or raise max_connections on the server and here"
  $processes (int .Values.database.connections) $needed (int .Values.database.maxConnections)) }}
{{- end }}
{{- end }}
