{{- define "name" -}}
{{- $name := .Release.Name -}}
{{- if not (contains "pve-reconciler" $name) }}{{ $name = printf "pve-reconciler-%s" $name }}{{ end -}}
{{- $name | trunc 50 | trimSuffix "-" -}}
{{- end }}

{{- define "selector" -}}
app.kubernetes.io/name: pve-reconciler
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "labels" -}}
{{ include "selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "account" -}}
- kind: ServiceAccount
  name: {{ include "name" . }}
  namespace: {{ .Release.Namespace }}
{{- end }}
