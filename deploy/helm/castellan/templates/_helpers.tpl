{{- define "castellan.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "castellan.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: server
{{- end }}

{{- define "castellan.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "castellan.image" -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}{{ else }}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- define "castellan.env" -}}
- name: PUBLIC_URL
  value: {{ required "publicUrl is required" .Values.publicUrl | quote }}
- name: TRUSTED_PROXIES
  value: {{ required "trustedProxies is required" .Values.trustedProxies | quote }}
- name: METRICS_ALLOW
  value: {{ .Values.metricsAllow | quote }}
- name: SHUTDOWN_SECONDS
  value: {{ .Values.shutdownSeconds | quote }}
- name: MIGRATE_ON_START
  value: {{ not .Values.migrations.enabled | quote }}
{{- range .Values.secret.keys }}
- name: {{ . }}_FILE
  value: /run/secrets/castellan/{{ . }}
{{- end }}
{{- range $name, $value := .Values.env }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- define "castellan.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "castellan.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "castellan.secretMount" -}}
- name: secrets
  mountPath: /run/secrets/castellan
  readOnly: true
{{- end }}

{{- define "castellan.secretVolume" -}}
- name: secrets
  secret:
    secretName: {{ .Values.secret.name }}
    defaultMode: 0440
    items:
      {{- range .Values.secret.keys }}
      - key: {{ . }}
        path: {{ . }}
      {{- end }}
{{- end }}
