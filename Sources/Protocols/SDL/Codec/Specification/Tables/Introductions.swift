extension RPCSpecification {
    /// The versions that introduced messages, structures and parameters.
    ///
    /// Each entry is a version, then the messages, structures and parameters that it introduced. A
    /// parameter is listed only if it is newer than what contains it. Nothing of 1.0 is listed.
    static let introductions = """
        2.0: AudioPassThruCapabilities Image SoftButton Choice.image VrHelpItem SingleTireStatus
          BeltStatus BodyInformation DeviceStatus HeadLampStatus ECallInfo AirbagStatus
          EmergencyEvent ClusterModeStatus MyKey TireStatus GPSData VehicleDataResult DIDResult
          HMIPermissions ParameterPermissions PermissionItem DisplayCapabilities.graphicSupported
          SoftButtonCapabilities PresetBankCapabilities Turn VehicleType
          RegisterAppInterface.request.ttsName
          RegisterAppInterface.request.hmiDisplayLanguageDesired
          RegisterAppInterface.request.appHMIType RegisterAppInterface.request.appID
          RegisterAppInterface.response.hmiDisplayLanguage
          RegisterAppInterface.response.audioPassThruCapabilities
          SetGlobalProperties.request.vrHelpTitle SetGlobalProperties.request.vrHelp
          AddCommand.request.cmdIcon PerformInteraction.request.vrHelp Alert.request.alertText3
          Alert.request.softButtons Alert.response.tryAgainTime Show.request.mainField3
          Show.request.mainField4 Show.request.softButtons PerformAudioPassThru.request
          PerformAudioPassThru.response EndAudioPassThru.request EndAudioPassThru.response
          SubscribeVehicleData.request SubscribeVehicleData.response
          UnsubscribeVehicleData.request UnsubscribeVehicleData.response GetVehicleData.request
          GetVehicleData.response ReadDID.request ReadDID.response GetDTCs.request
          GetDTCs.response ScrollableMessage.request ScrollableMessage.response Slider.request
          Slider.response ShowConstantTBT.request ShowConstantTBT.response AlertManeuver.request
          AlertManeuver.response UpdateTurnList.request UpdateTurnList.response
          ChangeRegistration.request ChangeRegistration.response
          OnButtonEvent.notification.customButtonID OnButtonPress.notification.customButtonID
          OnVehicleData.notification OnPermissionsChange.notification OnAudioPassThru.notification
          OnLanguageChange.notification
        3.0: Choice.secondaryText Choice.tertiaryText Choice.secondaryImage ImageResolution
          ImageField TouchCoord TouchEvent TouchEventCapabilities ScreenParams
          DisplayCapabilities.templatesAvailable DisplayCapabilities.screenParams
          DisplayCapabilities.numCustomPresetsAvailable HMICapabilities KeyboardProperties
          DeviceInfo RegisterAppInterface.request.hashID RegisterAppInterface.request.deviceInfo
          RegisterAppInterface.response.prerecordedSpeech
          RegisterAppInterface.response.supportedDiagModes
          RegisterAppInterface.response.hmiCapabilities RegisterAppInterface.response.sdlVersion
          SetGlobalProperties.request.menuTitle SetGlobalProperties.request.menuIcon
          SetGlobalProperties.request.keyboardProperties
          PerformInteraction.request.interactionLayout PerformInteraction.response.manualTextEntry
          Alert.request.progressIndicator Show.request.graphic Show.request.secondaryGraphic
          Show.request.customPresets SetMediaClockTimer.request.endTime DiagnosticMessage.request
          DiagnosticMessage.response ShowConstantTBT.request.timeToDestination
          ShowConstantTBT.request.nextTurnIcon ChangeRegistration.request.appName
          ChangeRegistration.request.ttsName ChangeRegistration.request.ngnMediaScreenAppName
          ChangeRegistration.request.vrSynonyms PutFile.request PutFile.response
          DeleteFile.request DeleteFile.response ListFiles.request ListFiles.response
          SetAppIcon.request SetAppIcon.response SystemRequest.request SystemRequest.response
          SendLocation.request SendLocation.response DialNumber.request DialNumber.response
          OnKeyboardInput.notification OnTouchEvent.notification OnSystemRequest.notification
          OnHashChange.notification
        4.1: DateTime Coordinate OASISAddress LocationDetails
          RegisterAppInterface.response.pcmStreamCapabilities SendLocation.request.timeStamp
          SendLocation.request.address SendLocation.request.deliveryMode
          SubscribeWayPoints.request SubscribeWayPoints.response GetWayPoints.request
          GetWayPoints.response UnsubscribeWayPoints.request UnsubscribeWayPoints.response
          OnWayPointChange.notification
        4.2: AppInfo RegisterAppInterface.request.appInfo
        4.2.2: DateTime.millisecond DateTime.second DateTime.minute DateTime.hour DateTime.day
          DateTime.month DateTime.year DateTime.tz_hour DateTime.tz_minute
        4.3: SyncMsgVersion.patchVersion
        4.5: HMICapabilities.videoStreaming HMICapabilities.remoteControl NavigationCapability
          PhoneCapability VideoStreamingFormat VideoStreamingCapability Temperature RdsData
          RadioControlData ClimateControlData RadioControlCapabilities ClimateControlCapabilities
          ModuleData RemoteControlCapabilities MetadataTags Rectangle HapticRect SystemCapability
          Show.request.metadataTags ButtonPress.request ButtonPress.response
          GetInteriorVehicleData.request GetInteriorVehicleData.response
          SetInteriorVehicleData.request SetInteriorVehicleData.response
          GetSystemCapability.request GetSystemCapability.response SendHapticData.request
          SendHapticData.response OnInteriorVehicleData.notification
        4.5.1: GetInteriorVehicleData.request.subscribe
        5.0: Image.isTemplate Choice.vrCommands FuelRange SingleTireStatus.tpms
          SingleTireStatus.pressure GPSData.utcYear GPSData.utcMonth GPSData.utcDay
          GPSData.utcHours GPSData.utcMinutes GPSData.utcSeconds GPSData.compassDirection
          GPSData.pdop GPSData.hdop GPSData.vdop GPSData.actual GPSData.satellites
          GPSData.dimension GPSData.altitude GPSData.heading GPSData.speed
          DisplayCapabilities.displayType DisplayCapabilities.displayName RGBColor
          TemplateColorScheme MassageModeData MassageCushionFirmness SeatMemoryAction
          SeatControlData SeatControlCapabilities StationIDNumber SisData
          RadioControlData.hdRadioEnable RadioControlData.sisData
          ClimateControlData.heatedSteeringWheelEnable ClimateControlData.heatedWindshieldEnable
          ClimateControlData.heatedRearWindowEnable ClimateControlData.heatedMirrorsEnable
          RadioControlCapabilities.sisDataAvailable
          RadioControlCapabilities.hdRadioEnableAvailable
          RadioControlCapabilities.siriusxmRadioAvailable
          ClimateControlCapabilities.currentTemperatureAvailable
          ClimateControlCapabilities.heatedSteeringWheelAvailable
          ClimateControlCapabilities.heatedWindshieldAvailable
          ClimateControlCapabilities.heatedRearWindowAvailable
          ClimateControlCapabilities.heatedMirrorsAvailable EqualizerSettings AudioControlData
          AudioControlCapabilities LightCapabilities LightControlCapabilities LightState
          LightControlData HMISettingsControlData HMISettingsControlCapabilities
          ModuleData.seatControlData ModuleData.audioControlData ModuleData.lightControlData
          ModuleData.hmiSettingsControlData RemoteControlCapabilities.audioControlCapabilities
          RemoteControlCapabilities.hmiSettingsControlCapabilities
          RemoteControlCapabilities.lightControlCapabilities
          RemoteControlCapabilities.seatControlCapabilities RegisterAppInterface.request.fullAppID
          RegisterAppInterface.request.dayColorScheme
          RegisterAppInterface.request.nightColorScheme RegisterAppInterface.response.iconResumed
          AddSubMenu.request.menuIcon SetMediaClockTimer.request.audioStreamingIndicator
          SubscribeVehicleData.request.fuelRange SubscribeVehicleData.request.turnSignal
          SubscribeVehicleData.request.engineOilLife
          SubscribeVehicleData.request.electronicParkBrakeStatus
          SubscribeVehicleData.response.fuelRange SubscribeVehicleData.response.turnSignal
          SubscribeVehicleData.response.engineOilLife
          SubscribeVehicleData.response.electronicParkBrakeStatus
          UnsubscribeVehicleData.request.fuelRange UnsubscribeVehicleData.request.turnSignal
          UnsubscribeVehicleData.request.engineOilLife
          UnsubscribeVehicleData.request.electronicParkBrakeStatus
          UnsubscribeVehicleData.response.fuelRange UnsubscribeVehicleData.response.turnSignal
          UnsubscribeVehicleData.response.engineOilLife
          UnsubscribeVehicleData.response.electronicParkBrakeStatus
          GetVehicleData.request.fuelRange GetVehicleData.request.turnSignal
          GetVehicleData.request.engineOilLife GetVehicleData.request.electronicParkBrakeStatus
          GetVehicleData.response.fuelRange GetVehicleData.response.turnSignal
          GetVehicleData.response.engineOilLife GetVehicleData.response.electronicParkBrakeStatus
          PutFile.request.crc PutFile.response.spaceAvailable DeleteFile.response.spaceAvailable
          ListFiles.response.spaceAvailable SetDisplayLayout.request.dayColorScheme
          SetDisplayLayout.request.nightColorScheme SystemRequest.request.requestSubType
          OnHMIStatus.notification.videoStreamingState OnVehicleData.notification.fuelRange
          OnVehicleData.notification.turnSignal OnVehicleData.notification.engineOilLife
          OnVehicleData.notification.electronicParkBrakeStatus
          OnSystemRequest.notification.requestSubType OnRCStatus.notification
        5.1: CloudAppProperties MediaServiceManifest MediaServiceData WeatherServiceManifest
          WeatherAlert WeatherData WeatherServiceData NavigationServiceManifest
          NavigationInstruction NavigationServiceData AppServiceManifest AppServiceRecord
          AppServiceData AppServiceCapability AppServicesCapabilities
          SystemCapability.appServicesCapabilities SubscribeVehicleData.request.cloudAppVehicleID
          SubscribeVehicleData.response.cloudAppVehicleID
          UnsubscribeVehicleData.request.cloudAppVehicleID
          UnsubscribeVehicleData.response.cloudAppVehicleID
          GetVehicleData.request.cloudAppVehicleID GetVehicleData.response.cloudAppVehicleID
          GetFile.request GetFile.response ReleaseInteriorVehicleDataModule.request.moduleId
          GetSystemCapability.request.subscribe SetCloudAppProperties.request
          SetCloudAppProperties.response GetCloudAppProperties.request
          GetCloudAppProperties.response PublishAppService.request PublishAppService.response
          GetAppServiceData.request GetAppServiceData.response
          PerformAppServiceInteraction.request PerformAppServiceInteraction.response
          OnVehicleData.notification.cloudAppVehicleID OnAppServiceData.notification
          OnSystemCapabilityUpdated.notification
        6.0: Grid GPSData.shifted VehicleDataResult.oemCustomDataType
          PermissionItem.requireEncryption DisplayCapabilities ModuleInfo
          ButtonCapabilities.moduleInfo SoftButtonCapabilities.textSupported WindowCapability
          WindowTypeCapabilities DisplayCapability HMICapabilities.appServices
          HMICapabilities.displays HMICapabilities.seatLocation
          KeyboardProperties.autoCompleteText KeyboardProperties.autoCompleteList
          VideoStreamingCapability.diagonalScreenSize VideoStreamingCapability.pixelPerInch
          VideoStreamingCapability.scale TemplateConfiguration SeatLocation SeatLocationCapability
          SeatControlData.id SeatControlCapabilities.moduleInfo RadioControlData.availableHDs
          RadioControlData.availableHdChannels RadioControlData.hdChannel
          ClimateControlData.climateEnable RadioControlCapabilities.moduleInfo
          RadioControlCapabilities.availableHDsAvailable
          RadioControlCapabilities.availableHdChannelsAvailable
          ClimateControlCapabilities.moduleInfo ClimateControlCapabilities.climateEnableAvailable
          AudioControlCapabilities.moduleInfo LightControlCapabilities.moduleInfo
          HMISettingsControlCapabilities.moduleInfo ModuleData.moduleId
          MediaServiceData.mediaImage SystemCapability.seatLocationCapability
          SystemCapability.displayCapabilities RegisterAppInterface.response.displayCapabilities
          RegisterAppInterface.response.buttonCapabilities
          RegisterAppInterface.response.softButtonCapabilities
          RegisterAppInterface.response.presetBankCapabilities CreateWindow.request
          CreateWindow.response DeleteWindow.request DeleteWindow.response
          SetGlobalProperties.request.userLocation SetGlobalProperties.request.menuLayout
          AddSubMenu.request.menuLayout ShowAppMenu.request ShowAppMenu.response
          PerformInteraction.request.cancelID Alert.request.alertIcon Alert.request.cancelID
          Show.request.templateTitle Show.request.windowID Show.request.templateConfiguration
          ScrollableMessage.request.cancelID Slider.request.cancelID SetDisplayLayout.request
          SetDisplayLayout.response ButtonPress.request.moduleId
          GetInteriorVehicleData.request.moduleId GetInteriorVehicleDataConsent.request
          GetInteriorVehicleDataConsent.response ReleaseInteriorVehicleDataModule.request
          ReleaseInteriorVehicleDataModule.response UnpublishAppService.request
          UnpublishAppService.response CancelInteraction.request CancelInteraction.response
          CloseApplication.request CloseApplication.response OnHMIStatus.notification.windowID
          OnDriverDistraction.notification.lockScreenDismissalEnabled
          OnDriverDistraction.notification.lockScreenDismissalWarning
          OnPermissionsChange.notification.requireEncryption
        7.0: FuelRange.level FuelRange.levelState FuelRange.capacity FuelRange.capacityUnit
          WindowState StabilityControlsStatus WindowStatus DynamicUpdateCapabilities
          WindowCapability.dynamicUpdateCapabilities HMICapabilities.driverDistraction
          DriverDistractionCapability SystemCapability.driverDistractionCapability GearStatus
          AddSubMenu.request.parentID SubtleAlert.request SubtleAlert.response
          OnSubtleAlertPressed.notification SubscribeVehicleData.request.fuelLevel
          SubscribeVehicleData.request.fuelLevel_State SubscribeVehicleData.request.gearStatus
          SubscribeVehicleData.request.prndl SubscribeVehicleData.request.stabilityControlsStatus
          SubscribeVehicleData.request.windowStatus SubscribeVehicleData.request.handsOffSteering
          SubscribeVehicleData.response.fuelLevel SubscribeVehicleData.response.fuelLevel_State
          SubscribeVehicleData.response.gearStatus SubscribeVehicleData.response.prndl
          SubscribeVehicleData.response.stabilityControlsStatus
          SubscribeVehicleData.response.windowStatus
          SubscribeVehicleData.response.handsOffSteering UnsubscribeVehicleData.request.fuelLevel
          UnsubscribeVehicleData.request.fuelLevel_State UnsubscribeVehicleData.request.gearStatus
          UnsubscribeVehicleData.request.prndl
          UnsubscribeVehicleData.request.stabilityControlsStatus
          UnsubscribeVehicleData.request.windowStatus
          UnsubscribeVehicleData.request.handsOffSteering
          UnsubscribeVehicleData.response.fuelLevel
          UnsubscribeVehicleData.response.fuelLevel_State
          UnsubscribeVehicleData.response.gearStatus UnsubscribeVehicleData.response.prndl
          UnsubscribeVehicleData.response.stabilityControlsStatus
          UnsubscribeVehicleData.response.windowStatus
          UnsubscribeVehicleData.response.handsOffSteering GetVehicleData.request.fuelLevel
          GetVehicleData.request.fuelLevel_State GetVehicleData.request.gearStatus
          GetVehicleData.request.prndl GetVehicleData.request.stabilityControlsStatus
          GetVehicleData.request.windowStatus GetVehicleData.request.handsOffSteering
          GetVehicleData.response.fuelLevel GetVehicleData.response.fuelLevel_State
          GetVehicleData.response.gearStatus GetVehicleData.response.prndl
          GetVehicleData.response.stabilityControlsStatus GetVehicleData.response.windowStatus
          GetVehicleData.response.handsOffSteering OnVehicleData.notification.fuelLevel
          OnVehicleData.notification.fuelLevel_State OnVehicleData.notification.gearStatus
          OnVehicleData.notification.prndl OnVehicleData.notification.stabilityControlsStatus
          OnVehicleData.notification.windowStatus OnVehicleData.notification.handsOffSteering
          OnSystemRequest.notification.url OnUpdateFile.notification OnUpdateSubMenu.notification
        7.1: DoorStatus GateStatus RoofStatus BodyInformation.driverDoorAjar
          BodyInformation.passengerDoorAjar BodyInformation.rearLeftDoorAjar
          BodyInformation.rearRightDoorAjar BodyInformation.doorStatuses
          BodyInformation.gateStatuses BodyInformation.roofStatuses KeyboardLayoutCapability
          KeyboardCapabilities WindowCapability.keyboardCapabilities MenuParams.secondaryText
          MenuParams.tertiaryText KeyboardProperties.maskInputCharacters
          KeyboardProperties.customKeys VideoStreamingCapability.preferredFPS
          VideoStreamingCapability.additionalVideoStreamingCapabilities ClimateData SeatStatus
          SeatOccupancy SeekStreamingIndicator AppCapability
          RegisterAppInterface.response.vehicleType
          RegisterAppInterface.response.systemSoftwareVersion AddCommand.request.secondaryImage
          AddSubMenu.request.secondaryText AddSubMenu.request.tertiaryText
          AddSubMenu.request.secondaryImage Show.request.mediaClock
          SetMediaClockTimer.request.forwardSeekIndicator
          SetMediaClockTimer.request.backSeekIndicator SetMediaClockTimer.request.countRate
          SubscribeVehicleData.request.climateData
          SubscribeVehicleData.request.externalTemperature
          SubscribeVehicleData.request.seatOccupancy SubscribeVehicleData.response.climateData
          SubscribeVehicleData.response.externalTemperature
          SubscribeVehicleData.response.seatOccupancy UnsubscribeVehicleData.request.climateData
          UnsubscribeVehicleData.request.externalTemperature
          UnsubscribeVehicleData.request.seatOccupancy UnsubscribeVehicleData.response.climateData
          UnsubscribeVehicleData.response.externalTemperature
          UnsubscribeVehicleData.response.seatOccupancy GetVehicleData.request.climateData
          GetVehicleData.request.externalTemperature GetVehicleData.request.seatOccupancy
          GetVehicleData.response.climateData GetVehicleData.response.externalTemperature
          GetVehicleData.response.seatOccupancy OnVehicleData.notification.climateData
          OnVehicleData.notification.externalTemperature OnVehicleData.notification.seatOccupancy
          OnAppCapabilityUpdated.notification EncodedSyncPData.request EncodedSyncPData.response
          OnEncodedSyncPData.notification
        8.0: TireStatus.pressureTelltale TireStatus.leftFront TireStatus.rightFront
          TireStatus.leftRear TireStatus.rightRear TireStatus.innerLeftRear
          TireStatus.innerRightRear
        """
}
