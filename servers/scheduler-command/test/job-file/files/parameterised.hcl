job "encode" {
  type = "batch"
  parameterized {
    payload       = "required"
    meta_required = ["input", "profile"]
    meta_optional = ["bitrate"]
  }
  meta { bitrate = "4M" }
  group "g" {
    task "ffmpeg" {
      driver = "docker"
      dispatch_payload { file = "request.json" }
      config {
        image = "ffmpeg:6"
        args  = ["-i", "${NOMAD_META_INPUT}", "-b", "${NOMAD_META_BITRATE}"]
      }
    }
  }
}
